insert into temp.new_site_day (day, visitors, sessions, views, bounces, seconds)
values (@day, @visitors, @sessions, @views, @bounces, @seconds)
