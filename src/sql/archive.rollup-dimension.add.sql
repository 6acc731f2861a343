insert into new_dimension_rollup (
  period, dimension, value, within, visitors, sessions, views, bounces
)
values (
  @period, @dimension, @value, @within, @visitors, @sessions, @views, @bounces
)
