-- When alerts of a kind were told last.
select kind, max(told_at) as told_at
from alert_history
where told_at is not null
group by kind
