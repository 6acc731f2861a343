-- The batch is not looked at again, whether or not its labels are deleted.
delete from temp.unused_label
where id in (select id from temp.swept_label);
