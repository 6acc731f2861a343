insert into temp.host_page (id)
select id
from main.page
where (host_id in (select id from temp.filter_value where filter = 'host')) = (select included from temp.active_filter where filter = 'host')
