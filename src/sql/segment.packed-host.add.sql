insert into temp.new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'host', @period, name, '', @visitors, @sessions, @views, @bounces
from main.host
where id = @host
