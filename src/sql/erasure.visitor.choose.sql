insert into temp.target (id)
values (@id)
