-- A switch of an alert that was changed.
select kind, threshold, hours, enabled
from alert
order by id
