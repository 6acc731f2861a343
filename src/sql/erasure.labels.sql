-- Texts that nothing names any more.
delete from label
where id in (
  select id from temp.erased_label
  except select title_id from view where title_id in (select id from temp.erased_label)
  except select title_id from page where title_id is not null
  except select title_id from title_day
  except select screen_id from session where screen_id is not null
  except select language_id from session where language_id is not null
  except select timezone_id from session where timezone_id is not null
  except select name_id from event_name
  except select key_id from event_key
  except select value_id from event_value
  except select name_id from event_rollup
  except select key_id from event_property_rollup
  except select value_id from event_property_rollup
  except select name_id from event
)
