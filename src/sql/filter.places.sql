-- A wanted name of a place, with the numbers of the places that have it; '' is unknown.
select ifnull(fold(case @key
    when 'continent' then continent
    when 'country' then country
    when 'region' then region
    else city
  end), '') as wanted,
  json_group_array(id) as ids
from place
group by wanted
having wanted in (select value from json_each(@values))
