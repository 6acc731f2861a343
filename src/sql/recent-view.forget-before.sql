delete from recent_view
where view_id < @first_view_id
