insert into temp.filter_origin (id)
select id
from main.origin
where (@channel is null or (fold(channel) in (select value from json_each(@channel))) = @has_channel)
  and (@source is null or (fold(source) in (select value from json_each(@source))) = @has_source)
