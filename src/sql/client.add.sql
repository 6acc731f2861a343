insert into client (device, browser, browser_version, os, os_version)
values (@device, @browser, @browser_version, @os, @os_version)
returning id
