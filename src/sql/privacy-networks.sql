-- name: privacy.networks
-- What a number, a name or a prefix of a network may be in: visits with evidence that no rule has, places that are none,
-- and sums of suspects by anything else; one row.
select (
    select count(*)
    from session indexed by "session#evidence"
    where evidence <> 0
      and evidence & ~@bits <> 0
  ) as visits, (
    select count(*)
    from place
    where length(country) > 2
      or region glob '*AS[0-9]*'
      or city glob '*AS[0-9]*'
      or region glob '*[0-9:][.:]*/[0-9]*'
      or city glob '*[0-9:][.:]*/[0-9]*'
  ) as places, (
    select count(*)
    from dimension_rollup
    where dimension = 'suspect'
      and value not in ('people', 'suspect')
  ) as sums
