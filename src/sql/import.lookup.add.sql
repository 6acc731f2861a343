insert into temp.import_lookup (kind, id, value)
values (@kind, @id, @value)
