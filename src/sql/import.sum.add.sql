insert into temp.import_sum (day, row)
values (@day, @row)
