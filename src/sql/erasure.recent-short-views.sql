delete from recent_short_view
where view_id in (select id from temp.erased_view)
