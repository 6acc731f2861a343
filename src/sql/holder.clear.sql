delete from holder
where pid = @pid
