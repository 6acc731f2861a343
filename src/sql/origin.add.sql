insert into origin (channel, source, domain)
values (@channel, @source, @domain)
returning id
