insert into new_hour_day (
  day, hour, visitors, sessions, views, bounces, seconds
)
values (
  @period, @hour, @visitors, @sessions, @views, @bounces, @seconds
)
