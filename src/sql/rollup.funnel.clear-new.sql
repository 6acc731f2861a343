-- The funnel stages that are recounted.
delete from funnel_day
where day = @period
  and stage in (
    select replace(l.text, 'wc_', '')
    from day_event d
    join label l on l.id = d.name_id
  )
