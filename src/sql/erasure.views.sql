delete from view
where id in (select id from temp.erased_view)
