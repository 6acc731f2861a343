-- The id of a set of UTM values; the expressions are those of the index.
select id
from campaign
where ifnull(source, '') = ifnull(@source, '')
  and ifnull(medium, '') = ifnull(@medium, '')
  and ifnull(campaign, '') = ifnull(@campaign, '')
  and ifnull(term, '') = ifnull(@term, '')
  and ifnull(content, '') = ifnull(@content, '')
