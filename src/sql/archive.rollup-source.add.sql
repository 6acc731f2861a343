insert into new_source_rollup (
  period, origin_id, visitors, sessions, views, bounces
)
values (
  @period, @origin_id, @visitors, @sessions, @views, @bounces
)
