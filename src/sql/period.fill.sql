insert into temp.period (period)
select value
from json_each(@periods)
