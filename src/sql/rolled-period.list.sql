-- One longer period that is added up.
select period
from rolled_period
where complete
