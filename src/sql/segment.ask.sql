insert into temp.asked (filter, wanted)
values (@filter, @wanted)
