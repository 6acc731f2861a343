-- Adds the title of a page unless the text exists.
insert into label (text, hash)
select @title, text_hash(@title)
where @title is not null
  and not exists (select 1 from label where hash = text_hash(@title) and text = @title)
