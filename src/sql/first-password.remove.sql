delete from installation
where name = 'first_password'
  and value = @id
