-- A wanted device, program or version, with the numbers of the clients that have it; '' is unknown. Versions are
-- written as reports show them.
select ifnull(fold(case @key
    when 'device' then device
    when 'browser' then browser
    when 'browser_version' then browser || ifnull(' ' || browser_version, '')
    when 'os' then os
    else os || ifnull(' ' || os_version, '')
  end), '') as wanted,
  json_group_array(id) as ids
from client
group by wanted
having wanted in (select value from json_each(@values))
