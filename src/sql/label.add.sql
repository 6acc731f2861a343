insert into label (text)
values (@text)
returning id
