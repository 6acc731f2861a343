insert into temp.import_visitor (hash, day)
values (@hash, @day)
returning number
