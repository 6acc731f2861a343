-- How many views and events have their second in a span.
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
