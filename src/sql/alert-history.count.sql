-- How many alerts were raised.
select count(*) as alerts
from alert_history
