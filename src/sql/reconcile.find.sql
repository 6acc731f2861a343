-- One fact about the reconcile: its cursor, when it last ran, what is asked of it.
select value
from installation
where name = @name
