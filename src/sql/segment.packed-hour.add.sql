insert into temp.new_hour_day (day, hour, visitors, sessions, views, bounces, seconds)
values (@day, @hour, @visitors, @sessions, @views, @bounces, @seconds)
