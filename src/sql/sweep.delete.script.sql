-- Deletes the chosen labels, and what is known of events by them.
delete from event_value
where key_id in (select id from temp.swept_label)
  or value_id in (select id from temp.swept_label);

delete from event_key
where key_id in (select id from temp.swept_label);

delete from label
where id in (select id from temp.swept_label);

delete from temp.swept_label;
