delete from recent_short_view
where view_id < @before
