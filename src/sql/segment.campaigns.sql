-- The id 0 stands for a session without UTM values.
insert into temp.filter_campaign (id)
select id
from (
  select id, source, medium, campaign
  from main.campaign
  union all
  select 0, null, null, null
)
where (@utm_source is null or (ifnull(fold(source), '') in (select value from json_each(@utm_source))) = @has_utm_source)
  and (@utm_medium is null or (ifnull(fold(medium), '') in (select value from json_each(@utm_medium))) = @has_utm_medium)
  and (@utm_campaign is null or (ifnull(fold(campaign), '') in (select value from json_each(@utm_campaign))) = @has_utm_campaign)
