insert into label (text, hash)
values (@text, text_hash(@text))
returning id
