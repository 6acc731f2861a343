insert into visitor (id, day, hash)
values (@id, @day, @hash)
