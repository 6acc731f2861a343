-- The id of a combination of device, browser and operating system; the expressions are those of the index.
select id
from client
where device = @device
  and ifnull(browser, '') = ifnull(@browser, '')
  and ifnull(browser_version, '') = ifnull(@browser_version, '')
  and ifnull(os, '') = ifnull(@os, '')
  and ifnull(os_version, '') = ifnull(@os_version, '')
