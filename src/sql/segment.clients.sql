insert into temp.filter_client (id)
select id
from main.client
where (@device is null or (fold(device) in (select value from json_each(@device))) = @has_device)
  and (@browser is null or (ifnull(fold(browser), '') in (select value from json_each(@browser))) = @has_browser)
  and (@os is null or (ifnull(fold(os), '') in (select value from json_each(@os))) = @has_os)
