-- The id 0 stands for a session without a known place.
insert into temp.filter_place (id)
select id
from (
  select id, country, region, city
  from main.place
  union all
  select 0, null, null, null
)
where (@country is null or (ifnull(fold(country), '') in (select value from json_each(@country))) = @has_country)
  and (@region is null or (ifnull(fold(region), '') in (select value from json_each(@region))) = @has_region)
  and (@city is null or (ifnull(fold(city), '') in (select value from json_each(@city))) = @has_city)
