-- One longer period that is summed.
select period
from rolled_period
where complete
