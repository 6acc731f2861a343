-- name: import.undo-property
-- The properties of a history's events of a day.
delete from event_property
where event_id in (
  select id
  from event
  where id >= @first_view_id
    and id < @next_view_id
    and visitor_id >= @low
    and visitor_id < @high
)

-- name: import.undo-event
delete from event
where id >= @first_view_id
  and id < @next_view_id
  and visitor_id >= @low
  and visitor_id < @high

-- name: import.undo-view
delete from view
where id >= @first_view_id
  and id < @next_view_id
  and session_id >= @low
  and session_id < @high

-- name: import.undo-session
delete from session
where id >= @low
  and id < @high

-- name: import.undo-ledger
delete from ledger
where day = @day
