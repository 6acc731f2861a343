insert into visitor (day, hash)
values (@day, @hash)
returning id
