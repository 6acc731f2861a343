insert into new_utm_rollup (
  period, grouping, source, medium, campaign, term, content, visitors, sessions, views, bounces
)
values (
  @period, @grouping, @source, @medium, @campaign, @term, @content, @visitors, @sessions, @views,
  @bounces
)
