insert or ignore into temp.import_key (key)
values (@key)
