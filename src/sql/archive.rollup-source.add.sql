insert into new_source_rollup (
  period, channel, source, domain, visitors, sessions, views, bounces
)
values (
  @period, @channel, @source, @domain, @visitors, @sessions, @views, @bounces
)
