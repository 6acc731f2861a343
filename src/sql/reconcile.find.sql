-- One value of the reconcile's state, such as its cursor or when it last ran.
select value
from installation
where name = @name
