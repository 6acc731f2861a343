insert into utm_value (name, folded, text)
values (@name, @folded, @text)
returning text
