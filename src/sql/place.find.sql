-- The id of a place; the expressions are those of the index.
select id
from place
where ifnull(continent, '') = ifnull(@continent, '')
  and ifnull(country, '') = ifnull(@country, '')
  and ifnull(region, '') = ifnull(@region, '')
  and ifnull(city, '') = ifnull(@city, '')
