delete from recent_view
where view_id < @before
