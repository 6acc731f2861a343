insert into temp.import_hit (visit, visitor, at, day, data)
values (@visit, @visitor, @at, @day, @data)
