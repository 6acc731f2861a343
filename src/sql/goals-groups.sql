-- name: segment.goal-group.list
-- A number of a column by which goals are grouped, and what it means; `within` is the country of a region or city, the
-- channel of a source, or the source and medium of a campaign. A host is that of the page on which a session began.
select id,
  case @kind when 'channel' then channel else source end as value,
  iif(@kind = 'source', channel, '') as within
from main.origin
where @kind in ('channel', 'source')
union all
select id,
  ifnull(case @kind when 'continent' then continent when 'country' then country when 'region' then region else city end, ''),
  case @kind
    when 'region' then iif(region is null, '', ifnull(country, ''))
    when 'city' then iif(city is null, '', ifnull(country, ''))
    else ''
  end
from main.place
where @kind in ('continent', 'country', 'region', 'city')
union all
select id, ifnull(case @kind when 'device' then device when 'browser' then browser else os end, ''), ''
from main.client
where @kind in ('device', 'browser', 'os')
union all
select id,
  ifnull(case @kind when 'utm_source' then source when 'utm_medium' then medium else campaign end, ''),
  ''
from main.campaign
where @kind in ('utm_source', 'utm_medium', 'utm_campaign')
union all
select id, ifnull(campaign, ''), iif(ifnull(source, medium) is null, '', ifnull(source, '') || ' / ' || ifnull(medium, ''))
from main.campaign
where @kind = 'utm'
union all
select p.id, h.name, ''
from main.page p
join main.host h on h.id = p.host_id
where @kind = 'host'
union all
select id, text, ''
from main.label
where @kind in ('language', 'screen')
union all
select id, name, ''
from main.named_page
where @kind in ('page', 'entry_page', 'exit_page')
