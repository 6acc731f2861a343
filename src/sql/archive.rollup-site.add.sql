insert into new_site_day (
  day, visitors, sessions, views, bounces, seconds
)
values (
  @period, @visitors, @sessions, @views, @bounces, @seconds
)
