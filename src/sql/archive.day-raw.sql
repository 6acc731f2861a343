-- Numbers of views and events in a time span.
select (
    select count(*)
    from view
    where id >= @first_view_id
      and id < @next_view_id
  ) as views, (
    select count(*)
    from event
    where id >= @first_view_id
      and id < @next_view_id
  ) as events
